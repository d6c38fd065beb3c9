import { describe } from 'vitest';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { checkBundles } from './checks.ts';

describe('the bundles, all of them', () => checkBundles(functionEntries()));
