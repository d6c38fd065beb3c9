import { signCompact } from '../../../lib/runtime/sign.ts';
import { manifestType } from '../../receipts/rules.ts';
import { done, type ResearchExport } from '../rules/export.ts';
import { manifestNames, manifestOf } from '../rules/manifest.ts';
import { fileKey, putText } from '../stores/export-files.ts';
import type { ResearchExportDependencies } from './dependencies.ts';

/** Writes the manifest of the files and signs it. After a crash before the export is done, both are written again. */
export async function seal(
  { files, kms, keyArn, maySign, environment, now }: ResearchExportDependencies,
  row: ResearchExport,
) {
  await maySign();
  const manifest = manifestOf(row, { environment, now: now() });
  const [json, jws] = manifestNames;
  const signed = await signCompact(kms, keyArn, manifest, manifestType);
  await putText(files, fileKey(row, json), `${JSON.stringify(manifest, null, 2)}\n`);
  await putText(files, fileKey(row, jws), signed);
  return done(row, now());
}
