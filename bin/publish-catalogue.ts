import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { readCatalogueFile } from '../functions/agreements/jobs/catalogue-file.ts';
import { publishCatalogue } from '../functions/agreements/jobs/publish-catalogue.ts';
import { Agreements } from '../functions/agreements/tables.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } };

export async function run({ file, ...options }: StageArguments & { readonly file: string }): Promise<void> {
  const realNow = new Date();
  const catalogue = await readCatalogueFile(file, realNow.toISOString());
  const access = await stageAccess(options);
  const deps = {
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    tables: await stageTables(access, [Agreements, AuditEvents]),
    bucket: await access.outputs('AgreementContentsBucketName'),
  };
  const occasion = { application: 'medinfo', actor: 'publish-catalogue', requestId: randomUUID(), realNow };
  for (const line of await publishCatalogue(deps, catalogue, occasion)) console.log(line);
}
