import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { documentClient } from './document-client.ts';

/**
 * What DynamoDB answers to the calls of list, agree, revoke and the version check: the rows of the seeds, read once, so
 * that the stub costs next to nothing while it is asked.
 */

type Item = Record<string, AttributeValue>;
type Key = Record<string, { S: string }>;
type Input = { TableName?: string; Key?: Key; ExpressionAttributeValues?: Key };

/** Has consented to the optional agreements; every other user has no state. */
export const consentingUser = '11111111-1111-4111-8111-111111111111';

const seeded = ['Agreements', 'AppVersionPolicies'] as const;

/** @returns the answer to a call, by its `x-amz-target` and its input */
export async function cannedAnswers(): Promise<(target: string, input: Input) => object> {
  const { Agreements: catalogue, AppVersionPolicies: policies } = await seededRows();
  const states = catalogue.filter(isOptional).map(({ agreementId }) => consentState(agreementId?.S ?? ''));

  const agreements = ({ ':application': application, ':first': first, ':last': last }: Key): Item[] =>
    catalogue.filter((row) => {
      const key = row.catalogueKey?.S ?? '';
      return row.application?.S === application?.S && key >= (first?.S ?? '') && key <= (last?.S ?? '~');
    });
  const one = (rows: readonly Item[], key: Key = {}): { Item?: Item } => {
    const Item = rows.find((row) => Object.entries(key).every(([name, { S }]) => row[name]?.S === S));
    return { ...(Item && { Item }) };
  };
  const page = (Items: Item[]) => ({ Items, Count: Items.length, ScannedCount: Items.length });

  return (target, { TableName, Key, ExpressionAttributeValues = {} }) => {
    switch (`${target.split('.')[1]} ${TableName ?? ''}`) {
      case 'Query Agreements':
        return page(agreements(ExpressionAttributeValues));
      case 'Query ConsentStates':
        return page(ExpressionAttributeValues[':userId']?.S === consentingUser ? states : []);
      case 'GetItem Agreements':
        return one(catalogue, Key);
      case 'GetItem ConsentStates':
        return one(states, Key);
      // Asked at init, for a row that is not there.
      case 'GetItem ConsentRecords':
        return {};
      // Nobody's account was ever closed, and no session ended.
      case 'BatchGetItem ':
        return { Responses: { Accounts: [], EndedSessions: [] } };
      case 'GetItem AppVersionPolicies':
        return one(policies, Key);
      case 'TransactWriteItems ':
        return {};
      default:
        throw new Error(`no answer is known to ${target} of ${TableName}`);
    }
  };
}

/** A whole local stage for a moment: only its seed knows what a catalogue is made of. */
async function seededRows(): Promise<Record<(typeof seeded)[number], Item[]>> {
  const stage = await startStage({ seed, rateLimit: false, onLog: () => undefined });
  const { endpoint, credentials } = stage.data;
  const client = documentClient({ endpoint, credentials });
  try {
    const rows = async (name: string) => {
      return (await client.send(new ScanCommand({ TableName: stage.data.tables(name) }))).Items ?? [];
    };
    return { Agreements: await rows('Agreements'), AppVersionPolicies: await rows('AppVersionPolicies') };
  } finally {
    client.destroy();
    await stage.close();
  }
}

function isOptional({ isRequired, versionId, application }: Item): boolean {
  return !versionId && isRequired?.BOOL === false && application?.S === 'sleepcare';
}

function consentState(agreementId: string): Item {
  return {
    userId: { S: consentingUser },
    agreementId: { S: agreementId },
    recordedAt: { S: '2026-02-01T08:00:00.000Z' },
    sequence: { N: '1' },
    recordId: { S: '22222222-2222-4222-8222-222222222222' },
    action: { S: 'agreed' },
    versionId: { S: `${agreementId}-1.0` },
    contentHash: { S: 'c'.repeat(64) },
    locale: { S: 'en' },
    localeSource: { S: 'negotiated' },
    hash: { S: 'd'.repeat(64) },
  };
}
