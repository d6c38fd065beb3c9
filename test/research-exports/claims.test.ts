import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { continueExport } from '../../functions/research-exports/workflows/continue-export.ts';
import type { ResearchExportDependencies } from '../../functions/research-exports/workflows/dependencies.ts';
import { handlesNamed } from '../tables.ts';
import { design } from './design.ts';

test('of two functions that claim a step in the same millisecond, only one makes it', async () => {
  const now = new Date('2026-11-22T12:00:00.000Z');
  const named = { studyId: 'study', exportId: 'export' };
  const asked = { requestedAt: now.toISOString(), enrolledUntil: now.toISOString() };
  let there: Record<string, unknown> = { ...named, ...asked, design };
  const read = Promise.withResolvers<void>();
  let reads = 0;
  const client = {
    send: async ({ input }: { input: { Item?: Record<string, unknown>; TableName: string } }) => {
      if (input.TableName !== 'ResearchExports') throw new Error('makes the step');
      if (input.Item) {
        if (there.revision !== undefined) throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
        there = input.Item;
        return {};
      }
      const Item = there;
      reads += 1;
      if (reads === 2) read.resolve();
      await read.promise;
      return { Item };
    },
  } as unknown as DynamoDBDocumentClient;
  const tables = handlesNamed(client, ['ResearchExports', 'Enrolments', 'StudyKeys']);
  const deps = { tables, now: () => now, remainingMs: () => 60_000 } as unknown as ResearchExportDependencies;
  const outcomes = await Promise.allSettled([continueExport(deps, named), continueExport(deps, named)]);
  const errors = outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason));
  expect(errors.toSorted()).toEqual(['Error: makes the step', 'Overtaken']);
});
