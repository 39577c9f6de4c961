// Shrinks a cover picture in the browser before it is uploaded.

export const picture = () => ({
  async shrink(event) {
    const field = event.target
    const [file] = field.files
    if (!file) return
    const bitmap = await createImageBitmap(file).catch(() => null)
    if (!bitmap) return
    const scale = Math.min(1, 400 / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    canvas.toBlob(
      (blob) => {
        if (!blob) return
        const small = new DataTransfer()
        small.items.add(new File([blob], 'cover.webp', { type: blob.type }))
        field.files = small.files
      },
      'image/webp',
      0.82,
    )
  },
})
