/** How servers differ from what we assumed, learned from their error responses. Forgotten on restart. */
export class ServerQuirks {
  /** Models whose chat template rejects the system role, as `url model`. */
  readonly withoutSystemRole = new Set<string>()
  /** Token counting routes that answered 404, as `url path`. */
  readonly missingRoutes = new Set<string>()
  private readonly fields = new Map<string, Set<string>>()

  /** Request fields that the server at `url` has rejected, for the caller to add to. */
  unknownFields(url: string): Set<string> {
    const fields = this.fields.get(url) ?? new Set()
    this.fields.set(url, fields)
    return fields
  }
}
