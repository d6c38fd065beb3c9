import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { versionKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { agreementRow, versionRow } from '../../functions/agreements/rules/catalogue-rows.ts';
import { eventually } from '../eventually.ts';
import { publish } from './publish.ts';
import { declaring, newAgreement, newDraft, openStage, signedIn } from './stage.ts';

const own = await openStage();
afterAll(() => own.close());

const admin = (...[method, path, body]: Parameters<typeof own.admin>) => own.admin(method, path, body);

/** What the administrators see of an agreement. */
async function entryOf(agreementId: string, application = 'sleepcare') {
  const { items } = (await admin('GET', `/agreements?application=${application}&limit=100`)).body;
  return items.find((entry: { agreementId: string }) => entry.agreementId === agreementId);
}

async function statusesOf(agreementId: string): Promise<Record<string, string>> {
  const { versions } = await entryOf(agreementId);
  return Object.fromEntries(
    versions.map((each: { versionId: string; status: string }) => [each.versionId, each.status]),
  );
}

/** The version that a user is asked to agree to. */
async function activeFor(agreementId: string) {
  const { items } = (await own.user('GET', '/users/agreements')).body;
  return items.find((item: { agreementId: string }) => item.agreementId === agreementId)?.versionId;
}

/** The row of a version, as it lies in the table. */
async function rowOf(agreementId: string, versionId: string) {
  const Key = { application: 'sleepcare', catalogueKey: versionKey(agreementId, versionId) };
  const { dynamo, tables } = own.place;
  return (await dynamo.send(new GetCommand({ TableName: tables.Agreements.name, Key, ConsistentRead: true }))).Item;
}

async function auditOf(subject: string) {
  return (await admin('GET', `/admin/audit-events?subject=${encodeURIComponent(subject)}`)).body.items;
}

describe('GET /agreements', () => {
  test("200: both applications' catalogues in order, a page at a time", async () => {
    const whole = (await admin('GET', '/agreements?limit=100')).body.items;
    expect(whole.map(({ application }: { application: string }) => application)).toEqual(
      whole
        .map(({ application }: { application: string }) => application)
        .sort()
        .reverse(),
    );
    expect(whole.slice(0, 2)).toMatchObject([
      { agreementId: 'terms-of-service', application: 'sleepcare', isRequired: true, position: 10 },
      {
        agreementId: 'privacy-policy',
        versions: [
          { versionId: 'privacy-policy-0.9', status: 'superseded' },
          { versionId: 'privacy-policy-1.0', status: 'active' },
        ],
      },
    ]);
    const paged = [];
    let cursor = '';
    do {
      const { items, metadata } = (await admin('GET', `/agreements?limit=3${cursor}`)).body;
      paged.push(...items);
      cursor = metadata.hasMore ? `&cursor=${metadata.nextCursor}` : '';
    } while (cursor !== '');
    expect(paged).toEqual(whole);
  });

  test('200: of one application', async () => {
    const { items } = (await admin('GET', '/agreements?application=medinfo')).body;
    expect(items).toHaveLength(3);
    expect(items.every(({ application }: { application: string }) => application === 'medinfo')).toBe(true);
  });

  test('403: for nobody but administrators', async () => {
    for (const role of ['agent', 'physician', '']) {
      const caller = await signedIn(own.stage, role, 'medinfo');
      expect((await caller('GET', '/agreements')).status).toBe(403);
      expect((await caller('POST', '/agreements', {})).status).toBe(403);
    }
  });
});

describe('POST /agreements', () => {
  test('201: nobody is asked to agree to it yet', async () => {
    const agreementId = await newAgreement(own.admin, { title: '  Newsletter ' });
    expect(await entryOf(agreementId)).toEqual({
      agreementId,
      application: 'sleepcare',
      title: 'Newsletter',
      isRequired: false,
      position: 900,
      versions: [],
    });
    expect(await activeFor(agreementId)).toBeUndefined();
  });

  test('409: an id is unique over both applications, and only one of two requests at once gets it', async () => {
    const other = { application: 'medinfo', title: 'T', isRequired: true, position: 1 };
    const conflict = { status: 409, body: { code: 'CONFLICT' } };
    expect(await admin('POST', '/agreements', { agreementId: 'marketing', ...other })).toMatchObject(conflict);
    const agreementId = `agreement-${randomUUID()}`;
    const answers = await Promise.all(
      ['medinfo', 'sleepcare', 'medinfo', 'sleepcare'].map((application) =>
        admin('POST', '/agreements', { ...other, agreementId, application }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await auditOf(`agreement/${agreementId}`)).toHaveLength(1);
  });

  test.each([
    ['an id that a path has', { agreementId: 'versions' }],
    ['an unknown application', { application: 'web' }],
    ['a blank title', { title: '  ' }],
    ['half a surrogate pair', { title: '\ud800' }],
    ['a title of two lines', { title: 'a\nb' }],
    ['a negative position', { position: -1 }],
    ['no isRequired', { isRequired: undefined }],
  ])('400: %s', async (_, wrong) => {
    const agreement = {
      agreementId: 'x',
      application: 'sleepcare',
      title: 'T',
      isRequired: true,
      position: 1,
      ...wrong,
    };
    expect(await admin('POST', '/agreements', agreement)).toMatchObject({
      status: 400,
      body: { detail: { issues: [{ in: 'body', path: Object.keys(wrong)[0] }] } },
    });
  });
});

describe('POST /agreements/{agreementId}/versions', () => {
  test('201: a draft, to which nobody can agree', async () => {
    const agreementId = await newAgreement(own.admin);
    const versionId = `draft-${randomUUID().slice(0, 8)}`;
    const version = { versionId, ...declaring({ en: 'text', 'de-AT': 'Text' }) };
    expect(await admin('POST', `/agreements/${agreementId}/versions`, version)).toEqual({
      status: 201,
      body: { agreementId, ...version, status: 'draft', publishedAt: null, effectiveFrom: null, withdrawnAt: null },
    });
    expect((await own.user('POST', `/agreements/versions/${versionId}/agree`)).status).toBe(409);
  });

  test('409: a versionId that already exists in any agreement', async () => {
    const agreementId = await newAgreement(own.admin);
    const version = { versionId: 'marketing-1.0', ...declaring({ en: 'text' }) };
    expect(await admin('POST', `/agreements/${agreementId}/versions`, version)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await entryOf(agreementId)).versions).toEqual([]);
  });

  test('404: an unknown agreement', async () => {
    const version = { versionId: 'x', ...declaring({ en: 'text' }) };
    expect((await admin('POST', '/agreements/unknown/versions', version)).body.code).toBe('AGREEMENT_NOT_FOUND');
  });

  const texts = declaring({ en: 'text' });
  const many = Array.from({ length: 51 }, (_, index) => [`en-${1000 + index}`, texts.locales.en]);
  test.each([
    ['a default language without a text', { defaultLocale: 'de' }],
    ['no text', { locales: {} }],
    ['a language twice', { locales: { en: texts.locales.en, EN: texts.locales.en } }],
    ['51 languages', { locales: { ...texts.locales, ...Object.fromEntries(many) } }],
    ['an address without encryption', { locales: { en: { ...texts.locales.en, contentUrl: 'http://example.com/' } } }],
    ['a hash of another kind', { locales: { en: { ...texts.locales.en, contentHash: 'A'.repeat(64) } } }],
  ])('400: %s', async (_, wrong) => {
    const answer = await admin('POST', '/agreements/marketing/versions', { versionId: 'x', ...texts, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('POST /agreements/versions/{versionId}/publish', () => {
  test('200: it is active at once', async () => {
    const agreementId = await newAgreement(own.admin);
    const first = await newDraft(own.admin, agreementId);
    expect(await admin('POST', `/agreements/versions/${first}/publish`)).toMatchObject({
      status: 200,
      body: { versionId: first, status: 'active', withdrawnAt: null },
    });
    expect((await own.user('POST', `/agreements/versions/${first}/agree`)).status).toBe(200);
  });

  test('200: of two publications at once one is active, and an installed client is asked to agree to it', async () => {
    const agreementId = await newAgreement(own.admin);
    const drafts = [await newDraft(own.admin, agreementId), await newDraft(own.admin, agreementId)];
    const answers = await Promise.all(drafts.map((id) => admin('POST', `/agreements/versions/${id}/publish`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const statuses = await statusesOf(agreementId);
    expect(Object.values(statuses).sort()).toEqual(['active', 'superseded']);
    const active = drafts.find((id) => statuses[id] === 'active');
    await eventually(async () => expect(await activeFor(agreementId)).toBe(active));
  });

  test('200: a second time changes nothing, and writes no audit event', async () => {
    const agreementId = await newAgreement(own.admin);
    const versionId = await newDraft(own.admin, agreementId);
    const publish = (body?: unknown) => admin('POST', `/agreements/versions/${versionId}/publish`, body);
    const effectiveFrom = new Date(Date.now() + 3_600_000).toISOString();
    // The same time as written an hour west of Greenwich.
    const stated = new Date(Date.parse(effectiveFrom) - 3_600_000).toISOString().replace('Z', '-01:00');
    const answers = await Promise.all([
      publish({ effectiveFrom }),
      publish({ effectiveFrom: stated }),
      publish({ effectiveFrom }),
    ]);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'scheduled', effectiveFrom } });
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
    expect(await publish()).toEqual(answers[0]);
    expect((await auditOf(`agreement-version/${versionId}`)).map(({ action }: { action: string }) => action)).toEqual([
      'agreement-version.published',
      'agreement-version.drafted',
    ]);
  });

  test('400: from a time in the past', async () => {
    const versionId = await newDraft(own.admin, await newAgreement(own.admin));
    const effectiveFrom = new Date(Date.now() - 60_000).toISOString();
    expect(await admin('POST', `/agreements/versions/${versionId}/publish`, { effectiveFrom })).toMatchObject({
      status: 400,
      body: { detail: { issues: [{ path: 'effectiveFrom', code: 'too_small' }] } },
    });
  });

  test('409: nothing changes a published version', async () => {
    const agreementId = await newAgreement(own.admin);
    const versionId = await newDraft(own.admin, agreementId);
    await admin('POST', `/agreements/versions/${versionId}/publish`);
    const before = await rowOf(agreementId, versionId);
    const published = { status: 409, body: { code: 'AGREEMENT_VERSION_PUBLISHED' } };
    const effectiveFrom = new Date(Date.now() + 3_600_000).toISOString();
    expect(await admin('POST', `/agreements/versions/${versionId}/publish`, { effectiveFrom })).toMatchObject(
      published,
    );
    const content = { locale: 'en', contentType: 'text/html' };
    expect(await admin('POST', `/agreements/versions/${versionId}/content`, content)).toMatchObject(published);
    const other = { versionId, ...declaring({ en: 'another text' }) };
    expect((await admin('POST', `/agreements/${agreementId}/versions`, other)).status).toBe(409);
    expect((await admin('POST', `/agreements/marketing/versions`, other)).status).toBe(409);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await admin(method, `/agreements/versions/${versionId}`, other)).status).toBe(404);
    }
    expect(await rowOf(agreementId, versionId)).toEqual(before);
  });

  test('404: an unknown version', async () => {
    expect((await admin('POST', '/agreements/versions/unknown/publish')).body.code).toBe('AGREEMENT_VERSION_NOT_FOUND');
    expect((await admin('POST', '/agreements/versions/unknown/withdraw')).body.code).toBe(
      'AGREEMENT_VERSION_NOT_FOUND',
    );
  });
});

describe('POST /agreements/versions/{versionId}/withdraw', () => {
  test('200: the version before is active again; a second time changes nothing', async () => {
    const agreementId = await newAgreement(own.admin);
    const [first, second] = [await newDraft(own.admin, agreementId), await newDraft(own.admin, agreementId)];
    await admin('POST', `/agreements/versions/${first}/publish`);
    await admin('POST', `/agreements/versions/${second}/publish`);
    const withdraw = () => admin('POST', `/agreements/versions/${second}/withdraw`);
    const answers = await Promise.all([withdraw(), withdraw()]);
    expect(answers[0]).toMatchObject({ status: 200, body: { status: 'withdrawn' } });
    expect(answers[1]).toEqual(answers[0]);
    expect(await statusesOf(agreementId)).toEqual({ [first]: 'active', [second]: 'withdrawn' });
    expect((await own.user('POST', `/agreements/versions/${second}/agree`)).body.detail).toEqual({
      agreementId,
      activeVersionId: first,
    });
    expect((await auditOf(`agreement-version/${second}`)).map(({ action }: { action: string }) => action)).toEqual([
      'agreement-version.withdrawn',
      'agreement-version.published',
      'agreement-version.drafted',
    ]);
    // For good.
    expect((await admin('POST', `/agreements/versions/${second}/publish`)).status).toBe(409);
  });

  test('409: a draft', async () => {
    const versionId = await newDraft(own.admin, await newAgreement(own.admin));
    expect((await admin('POST', `/agreements/versions/${versionId}/withdraw`)).body.code).toBe(
      'AGREEMENT_VERSION_NOT_PUBLISHED',
    );
  });
});

test('a version that is published for later becomes active at its time, without a job', async () => {
  const agreementId = await newAgreement(own.admin);
  const [first, next] = [await newDraft(own.admin, agreementId), await newDraft(own.admin, agreementId)];
  await admin('POST', `/agreements/versions/${first}/publish`);
  const effectiveFrom = new Date(Date.now() + 86_400_000).toISOString();
  await admin('POST', `/agreements/versions/${next}/publish`, { effectiveFrom });
  expect(await statusesOf(agreementId)).toEqual({ [first]: 'active', [next]: 'scheduled' });
  const developer = await signedIn(own.stage, 'developer', 'sleepcare');
  const set = (now: string) => developer('PUT', '/time-machine', { now });
  /** Of somebody new, whose consent no other answer depends on. */
  const agree = async (versionId: string) =>
    (await signedIn(own.stage, 'patient', 'sleepcare'))('POST', `/agreements/versions/${versionId}/agree`);

  const before = new Date(Date.parse(effectiveFrom) - 600_000).toISOString();
  await set(before);
  await eventually(async () => expect((await agree(first)).body.agreedAt >= before).toBe(true));
  expect((await agree(next)).status).toBe(409);
  await set(effectiveFrom);
  await eventually(async () =>
    expect(await statusesOf(agreementId)).toEqual({ [first]: 'superseded', [next]: 'active' }),
  );
  await eventually(async () => expect((await agree(first)).status).toBe(409));
  expect((await agree(next)).status).toBe(200);
  await developer('DELETE', '/time-machine');
});

test('GET /agreements 200: a page is never larger than an answer may be', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxy'];
  const languages = letters.flatMap((letter) => [`a${letter}`, `b${letter}`]);
  const content = { title: 'T', contentUrl: `https://example.com/${'x'.repeat(1_900)}`, contentHash: 'a'.repeat(64) };
  const locales = Object.fromEntries(languages.map((language) => [language, content]));
  const { dynamo, tables } = own.place;
  const ids = letters.slice(0, 12).map((letter) => `large-${letter}`);
  const rows = ids.flatMap((agreementId) => [
    agreementRow({ agreementId, application: 'sleepcare', title: 'T', isRequired: false, position: 950 }),
    ...['1', '2', '3'].map((label) =>
      versionRow('sleepcare', {
        ...{
          versionId: `${agreementId}-${label}`,
          agreementId,
          label,
          changeType: 'minor',
          defaultLocale: 'aa',
          locales,
        },
        ...{ publishedAt: null, effectiveFrom: null, withdrawnAt: null },
      }),
    ),
  ]);
  await Promise.all(rows.map((Item) => dynamo.send(new PutCommand({ TableName: tables.Agreements.name, Item }))));
  const first = (await admin('GET', '/agreements?limit=100&application=sleepcare')).body;
  const size = Buffer.byteLength(JSON.stringify(first));
  expect([size > 2_500_000, size < 3_100_000, first.metadata.hasMore]).toEqual([true, true, true]);
  const query = `limit=100&application=sleepcare&cursor=${first.metadata.nextCursor}`;
  const second = (await admin('GET', `/agreements?${query}`)).body;
  expect(second.metadata.hasMore).toBe(false);
  const found = [...first.items, ...second.items].map(({ agreementId }: { agreementId: string }) => agreementId);
  expect(found.filter((id) => ids.includes(id))).toEqual(ids);
  expect(new Set(found).size).toBe(found.length);
});

// Last, since it fills the catalogue.
test('POST /agreements 409: the 101st agreement of an application, also with many requests at once', async () => {
  const { items } = (await admin('GET', '/agreements?application=medinfo&limit=100')).body;
  const free = 100 - items.length;
  const filling = Array.from({ length: free - 2 }, (_, index) => {
    const agreementId = `filling-${index}`;
    return {
      agreement: { agreementId, application: 'medinfo', title: 'T', isRequired: false, position: 1 },
      versions: [],
    };
  });
  await publish(own.place, filling);
  const create = () => {
    const agreement = { agreementId: randomUUID(), application: 'medinfo', title: 'T', isRequired: false, position: 1 };
    return admin('POST', '/agreements', agreement);
  };
  const answers = await Promise.all(Array.from({ length: 5 }, create));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('AGREEMENT_LIMIT_REACHED');
  // The other application's is another one's.
  await newAgreement(own.admin);
});
