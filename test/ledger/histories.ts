import { createHash, randomUUID } from 'node:crypto';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { hashOf, nextRecord } from '../../functions/consents/rules/record.ts';
import { shardOf } from '../../functions/ledger/rules/leaf.ts';

/** Chains as `agree` and `revoke` make them. */

const began = Date.parse('2026-01-01T08:00:00.000Z');

/** Of 256 shards, those of the last users: tests count the shards of a few chains, and no two of these share one. */
const recentShards: string[] = [];

function newUser(agreementId: string): string {
  const userId = randomUUID();
  const shard = shardOf(`${userId}#${agreementId}`);
  if (recentShards.includes(shard)) return newUser(agreementId);
  recentShards.push(shard);
  if (recentShards.length > 32) recentShards.shift();
  return userId;
}

export function historyOf(
  length: number,
  user: string | null = null,
  agreementId = 'marketing',
  { from = began, source = 'user' as ConsentRecord['source'] } = {},
): ConsentRecord[] {
  const userId = user ?? newUser(agreementId);
  const records: ConsentRecord[] = [];
  for (let index = 0; index < length; index += 1) {
    const versionId = `${agreementId}-1.${index >> 1}`;
    const change = {
      action: index % 2 === 0 ? ('agreed' as const) : ('revoked' as const),
      versionId,
      contentHash: createHash('sha256').update(versionId).digest('hex'),
      locale: 'de',
      localeSource: 'negotiated' as const,
      appVersion: '2.3.1',
    };
    const now = new Date(from + index * 60_000);
    const at = { userId, agreementId, now, recordId: randomUUID(), requestId: randomUUID(), source };
    records.push(nextRecord(records.at(-1) ?? null, change, at));
  }
  return records;
}

/** What a forger with full write access makes of a chain: another content, and every hash anew. */
export function rewritten(
  chain: readonly ConsentRecord[],
  from: number,
  change: Partial<ConsentRecord>,
): ConsentRecord[] {
  const forged: ConsentRecord[] = [];
  for (const [index, record] of chain.entries()) {
    const { hash: _hash, ...unsealed } = { ...record, ...(index === from && change) };
    const linked = { ...unsealed, previousHash: forged.at(-1)?.hash ?? null };
    forged.push({ ...linked, hash: hashOf(linked) });
  }
  return forged;
}
