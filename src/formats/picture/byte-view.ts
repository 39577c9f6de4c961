/** The bytes at a place as letters of Latin-1. Throws RangeError behind the end. */
export function lettersAt(view: DataView, at: number, count: number): string {
  let letters = ''
  for (let i = 0; i < count; i++) letters += String.fromCharCode(view.getUint8(at + i))
  return letters
}

/** Whether a file begins with these letters. */
export function beginsWith(view: DataView, letters: string): boolean {
  return view.byteLength >= letters.length && lettersAt(view, 0, letters.length) === letters
}
