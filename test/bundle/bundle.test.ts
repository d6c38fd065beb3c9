import { describe, expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { checkBundles } from './checks.ts';

/** A few functions: each of another set of clients. All of them are in bundle.slow.test.ts. */
const sample = [
  'read-app-version-policy',
  'agree',
  'issue-tokens',
  'post-message',
  'send-push',
  'make-export',
  'read-receipt',
  'put-questionnaire-response',
];

const entries = functionEntries(declarations).filter(({ name }) => sample.includes(name));

test('the sample is of functions that are there', () => expect(entries).toHaveLength(sample.length));

describe('the bundles of a sample', () => void checkBundles(entries));
