import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AuditEvents } from '../functions/audit/tables.ts';
import { publishDefinition } from '../functions/questionnaires/jobs/publish-questionnaires.ts';
import { dryRun, readDefinition } from '../functions/questionnaires/jobs/questionnaire-file.ts';
import { Questionnaires } from '../functions/questionnaires/tables.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

type Options = StageArguments & { readonly file: string; readonly dryRun?: string };

export async function run({ file, dryRun: sample, ...options }: Options): Promise<void> {
  const definition = readDefinition(await readFile(file, 'utf8'));
  if (sample !== undefined) {
    for (const line of dryRun(definition, await readFile(sample, 'utf8'))) console.log(line);
  } else {
    const access = await stageAccess(options);
    const deps = {
      environment: options.stage ?? 'dev',
      tables: await stageTables(access, [Questionnaires, AuditEvents]),
    };
    const occasion = {
      application: 'medinfo',
      actor: 'publish-questionnaires',
      requestId: randomUUID(),
      realNow: new Date(),
    };
    console.log(await publishDefinition(deps, definition, occasion));
  }
}
