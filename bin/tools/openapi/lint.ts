import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { Linter } from '../../linter.ts';

export const lint: Linter['lint'] = async (document) => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // The document names the local stage on purpose: every developer has this server.
      'no-server-example.com': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'docs/openapi.json', config });
  const standing = problems.filter(({ ruleId, message }) => !(ruleId === 'no-ambiguous-paths' && apart.test(message)));
  return standing.map(({ ruleId, message, location }) => {
    const at = location.map((place) => place.pointer).join();
    return `${ruleId} at ${at}: ${message}`;
  });
};

/**
 * The method and the ids distinguish the two paths: a code's id is a hash, and no batch has the id `revoke`. The paths are public,
 * so they cannot change.
 */
const apart = /`\/access-codes\/batches\/\{batchId\}` and `\/access-codes\/\{accessCodeId\}\/revoke`/;
