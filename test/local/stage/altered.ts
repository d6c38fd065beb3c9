import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { synthesize } from '../../../bin/stage.ts';
import type { StageFiles } from '../../../lib/local/template/stage-model.ts';
import { temporaryFolder } from './local-process.ts';

type Resources = Record<
  string,
  { Type: string; Properties: Record<string, unknown>; Metadata?: { operation?: string } }
>;

/** The real synthesized template in a folder of its own, with something else in it. */
export async function alteredAssembly(change: (resources: Resources, template: string) => void): Promise<StageFiles> {
  const folder = temporaryFolder();
  const { directory, ...code } = await synthesize('dev');
  await cp(directory, folder, { recursive: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('template.json'))) {
    const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { Resources: Resources };
    change(template.Resources, file);
    writeFileSync(join(folder, file), JSON.stringify(template));
  }
  return { ...code, directory: folder };
}

/** An event as API Gateway makes it, of a signed-in patient. */
export function patientEvent(userId: string, method: string, resource: string, pathParameters: object | null = null) {
  return {
    resource: `/v1${resource}`,
    path: `/v1${resource}`,
    httpMethod: method,
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters,
    stageVariables: null,
    body: null,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'r',
      extendedRequestId: 'x',
      identity: {},
      authorizer: { userId, roles: 'patient', exp: String(Math.floor(Date.now() / 1000) + 900) },
    },
  };
}
