export const pinned: string
export function platformName(): string
export function fetchRuntime(platform: string, folder: string): void
export function runtimeOf(platform: string, folder: string): string | undefined
export function npm(...args: string[]): void
export function withPackage(
  name: string,
  version: string,
  integrity: string,
  use: (file: string) => void,
): boolean
