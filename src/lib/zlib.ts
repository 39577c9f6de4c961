/** node:zlib, loaded when it is used first: with the streams that it loads, it would take a tenth of a start. */
export const zlib = () => process.getBuiltinModule('node:zlib')
