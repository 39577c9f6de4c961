/** Why a library is not opened: one sentence for the player. The file is as it was. */
export class LibraryRefused extends Error {}
