import { gzipSync } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { questions } from '../functions/analytics/questions.ts';
import { exportedTables } from '../functions/analytics/views.ts';
import { type AthenaContext, makeViews, runStatement } from './analytics/athena.ts';
import { itemOf } from './analytics/attribute-values.ts';
import { sampleRows } from './analytics/sample.ts';
import { sampleAnswers } from './analytics/sample-answers.ts';
import type { Probed } from './probed.ts';

/** Puts the sample into the probe's bucket in the form of a DynamoDB export, makes the views over it, and runs all questions. */
export function probedAthena(s3: S3Client, bucket: string, context: AthenaContext): Probed['askAthena'] {
  return async () => {
    for (const table of exportedTables) {
      const lines = sampleRows[table].map((row) => `${JSON.stringify({ Item: itemOf(row) })}\n`);
      const Body = gzipSync(lines.join(''));
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `exports/${table}/data/000000.json.gz`, Body }));
    }
    await makeViews(context, (table) => `s3://${bucket}/exports/${table}/data/`);
    const answers = questions.map(async ({ id, sql }) => {
      const asked = runStatement(context, sql, sampleAnswers[id]?.parameters);
      return [id, await asked.then(({ rows }) => rows, textOf)] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
