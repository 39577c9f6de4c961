/** What opens an address in the player's browser, by platform. All three come with the system or its desktop. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  // `start` is not a program, and takes a quoted address for a title.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the browser. Where that is not possible nothing happens: the address was printed too. */
export function openBrowser(address: string): void {
  const opener = OPENERS[process.platform]
  if (!opener || !hasDesktop(process.platform, process.env)) return
  try {
    Bun.spawn([...opener, address], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).unref()
  } catch {}
}

/** Whether there is a desktop to open a browser on. `xdg-open` in a terminal without one would open a text browser there. */
function hasDesktop(platform: NodeJS.Platform, env: Record<string, string | undefined>): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}
