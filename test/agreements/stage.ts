import { randomUUID } from 'node:crypto';
import { dependenciesOf, seed } from '../../bin/seed.ts';
import { type StageOptions, startStage } from '../../bin/stage.ts';
import type { Application } from '../../lib/contract/register.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { callerAt, comparable } from '../caller-at.ts';
import { sha256 } from './publish.ts';

/** A stage of its own, since the catalogue is everybody's, and those who administer and read it. */

export type Caller = Awaited<ReturnType<typeof signedIn>>;
export type Upload = { url: string; fields: Record<string, string> };

export async function openStage(options: StageOptions = {}) {
  const stage = await startStage({ seed, rateLimit: false, ...options });
  const place = dependenciesOf(stage.data);
  return {
    stage,
    place,
    admin: await signedIn(stage, 'admin', 'medinfo'),
    user: await signedIn(stage, 'patient', 'sleepcare'),
    async close() {
      place.dynamo.destroy();
      place.s3.destroy();
      await stage.close();
    },
  };
}

export async function signedIn(stage: RunningStage, roles: string, application: Application, client = 'mobile-app') {
  return comparable(await callerAt(stage, { roles, application, client }));
}

export const html = 'text/html; charset=utf-8';

/** A text in each language, as a draft declares it. */
export function declaring(texts: Record<string, string | Uint8Array>) {
  const locales = Object.entries(texts).map(([locale, text]) => {
    const contentUrl = `https://content.example.com/${locale}`;
    return [locale, { title: `The text in ${locale}`, contentUrl, contentHash: sha256(text) }];
  });
  return { label: '1.0', changeType: 'major', defaultLocale: 'en', locales: Object.fromEntries(locales) };
}

/** An agreement of sleep-care with nothing in it yet. */
export async function newAgreement(admin: Caller, more: Record<string, unknown> = {}): Promise<string> {
  const agreementId = `agreement-${randomUUID().slice(0, 8)}`;
  const agreement = { agreementId, application: 'sleepcare', title: 'New', isRequired: false, position: 900, ...more };
  const { status, body } = await admin('POST', '/agreements', agreement);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return agreementId;
}

/** A draft whose texts are uploaded. */
export async function newDraft(
  admin: Caller,
  agreementId: string,
  texts: Record<string, string> = { en: `text of ${agreementId}` },
): Promise<string> {
  const versionId = `version-${randomUUID().slice(0, 8)}`;
  const drafted = await admin('POST', `/agreements/${agreementId}/versions`, { versionId, ...declaring(texts) });
  if (drafted.status !== 201) throw new Error(JSON.stringify(drafted.body));
  for (const [locale, text] of Object.entries(texts)) {
    const upload = await signUpload(admin, versionId, locale);
    const { status, code } = await post(upload, text);
    if (status !== 204) throw new Error(`${status} ${code}`);
  }
  return versionId;
}

export async function signUpload(admin: Caller, versionId: string, locale = 'en'): Promise<Upload> {
  return (await admin('POST', `/agreements/versions/${versionId}/content`, { locale, contentType: html })).body;
}

/** Sends the form as a browser does. */
export async function post({ url, fields }: Upload, text: string | Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([text]));
  const answer = await fetch(url, { method: 'POST', body: form });
  return { status: answer.status, code: /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1] };
}
