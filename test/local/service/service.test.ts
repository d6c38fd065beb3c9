import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { answerCall, type Fault } from '../../../lib/local/service/faults.ts';
import { readBody } from '../../../lib/local/service/request.ts';
import { startService } from '../../../lib/local/service/service.ts';

/** What the services of the local stage have in common. */

class Refused extends Error {}

const printed: unknown[][] = [];
beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...line) => void printed.push(line));
});
afterEach(() => vi.mocked(console.error).mockRestore());

async function started(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const errors: unknown[] = [];
  const service = await startService({
    name: 'Test',
    answer,
    answerError: (error, _, response) => {
      errors.push(error);
      const isOwn = error instanceof Refused;
      if (!response.destroyed) response.writeHead(isOwn ? 400 : 500).end();
      return isOwn;
    },
  });
  onTestFinished(service.close);
  return { url: service.url, errors };
}

const tooLarge = () => new Refused('too large');

describe('what is thrown', () => {
  test('is answered, and printed where it is a defect here', async () => {
    const defect = new TypeError('no such property');
    const { url } = await started(async ({ url: path }) => {
      throw path === '/refused' ? new Refused() : defect;
    });
    expect((await fetch(`${url}/refused`)).status).toBe(400);
    expect(printed).toEqual([]);
    expect((await fetch(`${url}/defect`)).status).toBe(500);
    expect(printed).toEqual([['The local Test failed:', defect]]);
  });

  test('a body that is too large is an error of the service', async () => {
    const { url } = await started(async (request, response) => {
      response.end(await readBody(request, 3, tooLarge));
    });
    expect(await (await fetch(url, { method: 'POST', body: 'abc' })).text()).toBe('abc');
    expect((await fetch(url, { method: 'POST', body: 'abcd' })).status).toBe(400);
  });

  test('because the client left in the middle of a request is no failure', async () => {
    const ended = Promise.withResolvers<unknown>();
    const { url, errors } = await started(async (request) => {
      await readBody(request, 100, tooLarge).catch((error: unknown) => {
        ended.resolve(error);
        throw error;
      });
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 10\r\n\r\nabc', () => socket.destroy());
    expect(await ended.promise).toMatchObject({ message: 'aborted' });
    // A turn later what was thrown has been dealt with.
    await new Promise(setImmediate);
    expect([errors, printed]).toEqual([[], []]);
  });
});

describe('a fault', () => {
  const performed: string[] = [];
  const served = (fault: Fault | undefined, perform = async () => 'done') =>
    started((_, response) =>
      answerCall({
        response,
        fault,
        errors: { throttle: () => new Refused('throttled'), error: () => new Error('an internal error') },
        garbage: { contentType: 'application/json', body: 'no JSON' },
        perform: async () => {
          performed.push(String(fault));
          return perform();
        },
        send: (result) => void response.end(result),
      }),
    );
  beforeEach(() => {
    performed.length = 0;
  });
  const textAt = async (url: string) => (await fetch(url)).text();

  test('none: the call is executed and answered', async () => {
    const { url } = await served(undefined);
    expect([await textAt(url), performed]).toEqual(['done', ['undefined']]);
  });

  test.each([
    ['throttle', 400],
    ['error', 500],
  ] as const)('%s is the service’s own error, and nothing is executed', async (fault, status) => {
    const { url } = await served(fault);
    expect([(await fetch(url)).status, performed]).toEqual([status, []]);
  });

  test('garbage is a success that nobody can read, and nothing is executed', async () => {
    const { url } = await served('garbage');
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect([await answer.text(), performed]).toEqual(['no JSON', []]);
  });

  test('hang is no answer', async () => {
    const { url, errors } = await served('hang');
    const answer = fetch(url, { signal: AbortSignal.timeout(200) });
    await expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
    expect([performed, errors]).toEqual([[], []]);
  });

  test('a lost response: the call is executed, and its socket destroyed', async () => {
    const { url, errors } = await served('lose-response');
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect([performed, errors]).toEqual([['lose-response'], []]);
  });

  test('a lost response of a call that is refused is lost as well', async () => {
    const { url } = await served('lose-response', () => Promise.reject(new Refused()));
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(performed).toHaveLength(1);
  });
});
