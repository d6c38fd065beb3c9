import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { SecretStore } from '../../bin/replacement-steps.ts';
import { loadTool } from '../../bin/tools.ts';

/** The calls of the command to Secrets Manager, to a server that answers as documented. */

type Version = { readonly SecretString: string; readonly CreatedDate: number; stages: string[] };

async function secretsManager(versions: Version[]) {
  const server = createServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']).replace('secretsmanager.', '');
    const asked = JSON.parse(await text(request));
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (action === 'PutSecretValue') {
      // A label is on one version at a time.
      for (const version of versions)
        version.stages = version.stages.filter((stage) => !asked.VersionStages.includes(stage));
      versions.push({ SecretString: asked.SecretString, CreatedDate: 1_800_000_000, stages: asked.VersionStages });
      return answer(200, { ARN: asked.SecretId, VersionStages: asked.VersionStages });
    }
    const found = versions.find(({ stages }) => stages.includes(asked.VersionStage));
    if (!found)
      return answer(400, { __type: 'ResourceNotFoundException', Message: "can't find the specified secret value" });
    return answer(200, { ARN: asked.SecretId, SecretString: found.SecretString, CreatedDate: found.CreatedDate });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const tool = await loadTool<{ secretStore: (id: string, config: object) => SecretStore }>(
    new URL('../../bin/tools/secrets/secrets-manager.ts', import.meta.url),
  );
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return tool.secretStore('arn:secret', { endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 });
}

test('reads the version that deploys read, and notes which one all functions have', async () => {
  const versions: Version[] = [{ SecretString: 'first', CreatedDate: 1_700_000_000, stages: ['AWSCURRENT'] }];
  const store = await secretsManager(versions);
  expect(await store.current()).toBe('first');
  expect(await store.everywhere()).toBeNull();
  await store.put('second', false);
  expect(await store.current()).toBe('second');
  expect(await store.everywhere()).toBeNull();
  await store.put('second', true);
  expect(await store.everywhere()).toEqual({ text: 'second', since: new Date(1_800_000_000_000) });
  await store.put('third', false);
  expect(await store.current()).toBe('third');
  expect((await store.everywhere())?.text).toBe('second');
});

test('a secret that is not there is no secret without a note', async () => {
  await expect((await secretsManager([])).current()).rejects.toThrow("can't find the specified secret value");
});
