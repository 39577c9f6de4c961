export function serviceProgram(bun: string): string
