/** What an operator signs of an import: which records came in by it, by their leaves' root (RFC 6962), and who answers for them. */
export type Manifest = {
  readonly environment: string;
  /** Of the leaves at `importedKey(root)`: each names one record, not the head of a chain. */
  readonly root: string;
  readonly count: number;
  /** Who ran the import, by their own account; whose credentials signed is in CloudTrail's event of the key. */
  readonly by: string;
  /** Real time, ISO 8601. */
  readonly at: string;
};

/** @returns the payload as a manifest; null where it is none */
export function readManifest(payload: Readonly<Record<string, unknown>>): Manifest | null {
  const { environment, root, count, by, at } = payload;
  const isTexts = [environment, root, by, at].every((value) => typeof value === 'string');
  return isTexts && Number.isSafeInteger(count) ? (payload as unknown as Manifest) : null;
}
