import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Batch, type CodeGroup, type CodeRow, chunksOf, groupOf } from '../rules/batch.ts';
import { newCode, randomLength } from '../rules/code.ts';
import { hashOf } from '../stores/code-keys.ts';
import { putBatch, putGroup, putNewCode, readBatch } from '../stores/code-rows.ts';
import { type IssuedCode, putIssued, readIssued } from '../stores/issued-codes.ts';
import type { AccessCodeBatches, AccessCodes, IssuedAccessCodes } from '../tables.ts';

export type IssueDependencies = {
  readonly tables: {
    readonly AccessCodeBatches: AccessCodeBatches<'get' | 'put'>;
    readonly AccessCodes: AccessCodes<'put'>;
    readonly IssuedAccessCodes: IssuedAccessCodes<'query' | 'put'>;
  };
  readonly secret: KeyRing;
};

export type Issue = {
  /** Whose row is there; its codes may be, too. */
  readonly batch: Batch;
  /** Until when they can be answered again: seconds since 1970, in real time. */
  readonly expiresAt: number;
  readonly realNow: Date;
};

/** The codes to be, so many as are asked for; a test's and the seed's own are known. */
type NewCodes = (size: number, from: number) => string[];

const randomCodes: NewCodes = (size) => Array.from({ length: size }, () => newCode(randomBytes(randomLength)));

/**
 * Writes those codes of a batch that are not there yet, and answers all of them in their order. A batch is more than one transaction
 * takes: it is written in parts, one after the other, each with its codes, their sealed copy and the batch's revision or not at
 * all. Whatever breaks off goes on where it stopped, and of two that go on each part is one's.
 *
 * @returns null where the batch was revoked before it was complete
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; what the SDK throws where the outcome is unknown
 */
export async function issueCodesOf(
  deps: IssueDependencies,
  issue: Issue,
  newCodes: NewCodes = randomCodes,
): Promise<IssuedCode[] | null> {
  const { batchId, count } = issue.batch;
  const issued = await issuedOf(deps, issue);
  let { batch } = issue;
  const all: IssuedCode[] = [];
  for (const chunk of chunksOf(count)) {
    const codes = issued.get(chunk.part) ?? (await retryOnContention(write));
    if (!codes) return null;
    all.push(...codes);

    async function write(attempt: number): Promise<IssuedCode[] | null | typeof contended> {
      if (attempt > 0) {
        const there = (await issuedOf(deps, issue)).get(chunk.part);
        if (there) return there;
        batch = (await readBatch(deps.tables.AccessCodeBatches, batchId)) ?? batch;
      }
      if (batch.revokedAt !== null) return null;
      const fresh = newCodes(chunk.size, chunk.from).map((code) => ({
        accessCodeId: hashOf(deps.secret, code),
        code,
      }));
      const after = { ...batch, revision: batch.revision + 1 };
      try {
        if (!(await isChunkWritten(deps, issue, after, chunk, fresh))) return contended;
      } catch (error) {
        // A lost answer is not a lost write.
        const there = isUnavailable(error) && (await issuedOf(deps, issue)).get(chunk.part);
        if (there) return contended;
        throw error;
      }
      batch = after;
      return fresh;
    }
  }
  return all;
}

function issuedOf(
  { tables, secret }: IssueDependencies,
  { batch, realNow }: Issue,
): Promise<Map<string, IssuedCode[]>> {
  return readIssued(tables.IssuedAccessCodes, secret, { batchId: batch.batchId, realNow });
}

function isChunkWritten(
  { tables, secret }: IssueDependencies,
  { expiresAt }: Issue,
  batch: Batch,
  chunk: { part: string; from: number },
  issued: readonly IssuedCode[],
): Promise<boolean> {
  const { batchId } = batch;
  const rows = issued.map(({ accessCodeId }, index): CodeRow => {
    return { accessCodeId, batchId, part: groupOf(chunk.from + index) };
  });
  const codes = issued.map(({ code }) => code);
  const groups = [...Map.groupBy(rows, ({ part }) => part ?? '')].map(([part, { length }]): CodeGroup => {
    return { batchId, part, codes: length, redeemed: 0, revoked: 0 };
  });
  const items = [
    putBatch(tables.AccessCodeBatches, batch),
    ...rows.map((row) => putNewCode(tables.AccessCodes, row)),
    ...groups.map((group) => putGroup(tables.AccessCodeBatches, group)),
    putIssued(tables.IssuedAccessCodes, secret, { batchId, part: chunk.part, codes, expiresAt }),
  ];
  return commit(items);
}
