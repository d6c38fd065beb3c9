import { afterAll, describe, expect, test } from 'vitest';
import { dependenciesOf, seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { AgreementWithVersions } from '../../functions/agreements/rules/catalogue.ts';
import { readAgreement } from '../../functions/agreements/stores/catalogue-reader.ts';
import type { Call } from '../../lib/local/dynamodb/front.ts';
import { publish } from '../agreements/publish.ts';
import { callerAt, comparable } from '../caller-at.ts';
import { eventually } from '../eventually.ts';

/** What a user meets when a new version is published. On a stage of its own, since the catalogue is everybody's. */

const reads: Call[] = [];

const stage = await startStage({
  seed,
  rateLimit: false,
  initWork: false,
  intercept: {
    dynamodb: (call) => {
      if (['GetItem', 'Query'].includes(call.action)) reads.push(call);
      return undefined;
    },
  },
});
const place = dependenciesOf(stage.data);
afterAll(async () => {
  place.dynamo.destroy();
  place.s3.destroy();
  await stage.close();
});

/** One signed-in user of this stage. */
const signedIn = async (user: string) => comparable(await callerAt(stage, { user }));

async function itemOf(user: Awaited<ReturnType<typeof signedIn>>, agreementId: string) {
  const { items } = (await user('GET', '/users/agreements')).body as unknown as { items: { agreementId: string }[] };
  return items.find((item) => item.agreementId === agreementId);
}

/** A next version of the seed's only version, effective at once or later. */
async function publishNext(agreementId: string, label: string, effectiveFrom = new Date().toISOString()) {
  const found = await readAgreement(place.tables.Agreements, 'sleepcare', agreementId);
  const { agreement, versions } = found as AgreementWithVersions;
  const [first] = versions as [AgreementWithVersions['versions'][0]];
  const publishedAt = new Date().toISOString();
  const versionId = `${agreementId}-${label}`;
  const next = { ...first, label, versionId, changeType: 'major' as const, publishedAt, effectiveFrom };
  await publish(place, [{ agreement, versions: [next] }]);
}

describe('a newer major version', () => {
  test('is asked for in reconsentRequired, while agreed stays what the latest record says', async () => {
    const user = await signedIn('early');
    const first = await user('POST', '/agreements/versions/marketing-1.0/agree');
    await publishNext('marketing', '2.0');

    // Agreeing reads the catalogue itself: at once, the old version is no longer to be had.
    const late = await signedIn('late');
    expect(await late('POST', '/agreements/versions/marketing-1.0/agree')).toMatchObject({
      status: 409,
      body: { detail: { activeVersionId: 'marketing-2.0' } },
    });
    // A doubled call of who agreed in time still tells the truth.
    expect(await user('POST', '/agreements/versions/marketing-1.0/agree')).toEqual(first);

    await eventually(async () => {
      expect(await itemOf(user, 'marketing')).toMatchObject({
        versionId: 'marketing-2.0',
        agreed: true,
        agreedVersionId: 'marketing-1.0',
        reconsentRequired: true,
      });
    });
    expect((await user('POST', '/agreements/versions/marketing-2.0/agree')).status).toBe(200);
    expect(await itemOf(user, 'marketing')).toMatchObject({
      agreed: true,
      agreedVersionId: 'marketing-2.0',
      reconsentRequired: false,
    });
  });

  test('leaves the old one active until it takes effect', async () => {
    const user = await signedIn('patient-one');
    await publishNext('research-data', '2.0', '2100-01-01T00:00:00.000Z');
    expect((await user('POST', '/agreements/versions/research-data-2.0/agree')).status).toBe(409);
    expect((await user('POST', '/agreements/versions/research-data-1.0/agree')).status).toBe(200);
  });

  test('a consent to an old version can be revoked', async () => {
    const user = await signedIn('early-too');
    await user('POST', '/agreements/versions/research-data-1.0/agree');
    await publishNext('research-data', '3.0');
    expect((await user('DELETE', '/users/agreements/research-data/consent')).status).toBe(200);
    expect(await itemOf(user, 'research-data')).toMatchObject({ agreed: false });
  });
});

test('all reads of consents and of the catalogue are strongly consistent', async () => {
  reads.length = 0;
  const user = await signedIn('reader');
  await user('GET', '/users/agreements');
  await user('POST', '/agreements/versions/terms-of-service-1.0/agree');
  await user('DELETE', '/users/agreements/research-data/consent');
  await user('GET', '/users/agreements/terms-of-service/history');
  // The clock of the environment is not a matter of consent.
  const ofConsent = reads.filter(({ input }) => !String(input.TableName).includes('Clock'));
  expect(ofConsent.length).toBeGreaterThan(6);
  expect(ofConsent.filter(({ input }) => input.ConsistentRead !== true)).toEqual([]);
});
