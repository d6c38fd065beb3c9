/** What an operator signs about an import: its records, by the root of their leaves (RFC 6962), and who is responsible for them. */
export type Manifest = {
  readonly environment: string;
  /** The root of the leaves at `importedKey(root)`: each leaf names one record, not the head of a chain. */
  readonly root: string;
  readonly count: number;
  /** Who ran the import, as they said; CloudTrail's event of the key shows whose credentials signed. */
  readonly by: string;
  /** Real time, ISO 8601. */
  readonly at: string;
};

/** @returns the payload as a manifest; null if it is not one */
export function readManifest(payload: Readonly<Record<string, unknown>>): Manifest | null {
  const { environment, root, count, by, at } = payload;
  const isTexts = [environment, root, by, at].every((value) => typeof value === 'string');
  return isTexts && Number.isSafeInteger(count) ? (payload as unknown as Manifest) : null;
}
