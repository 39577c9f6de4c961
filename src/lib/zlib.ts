/** node:zlib, loaded on first use: with the streams that it loads, it would add a tenth to the start. */
export const zlib = () => process.getBuiltinModule('node:zlib')
