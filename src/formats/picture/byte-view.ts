export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The bytes at an offset as Latin-1. Throws RangeError beyond the end. */
export function lettersAt(view: DataView, offset: number, count: number): string {
  let letters = ''
  for (let i = 0; i < count; i++) letters += String.fromCharCode(view.getUint8(offset + i))
  return letters
}

export function beginsWith(view: DataView, letters: string): boolean {
  return view.byteLength >= letters.length && lettersAt(view, 0, letters.length) === letters
}
