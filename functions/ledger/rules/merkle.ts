import { createHash } from 'node:crypto';

/**
 * The Merkle tree hash of RFC 6962 section 2.1 over SHA-256: leaves and nodes have different prefixes, so a node can
 * never be mistaken for a leaf.
 */

const leafPrefix = Buffer.of(0x00);
const nodePrefix = Buffer.of(0x01);

/** @returns lower-case hex; without leaves the hash of an empty text */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves.map((leaf) => sha256(leafPrefix, Buffer.from(leaf)));
  if (level.length === 0) return sha256().toString('hex');
  // Pairing from the left, with an odd last node moving up unchanged, splits each list where the RFC does: at the largest
  // power of two.
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const [left, right] = level.slice(at, at + 2) as [Buffer, Buffer | undefined];
      above.push(right ? sha256(nodePrefix, left, right) : left);
    }
    level = above;
  }
  return (level[0] as Buffer).toString('hex');
}

function sha256(...parts: Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
