import { describe, expect, test } from 'vitest';
import { logicalId } from '../../lib/stack/names.ts';
import { apiOperation } from './api-body.ts';
import { properties, stage } from './stage.ts';

/** The test push is only in dev. */

test('dev, sleepcare: needs a token and a key, and may publish to the endpoints of phones', () => {
  const { templates } = stage('dev');
  const { security } = apiOperation(templates[logicalId('sleepcare')], 'POST', '/v1/dev/push/test/{messageType}');
  expect(security).toEqual([{ 'bearer-token': [] }, { api_key: [] }]);
  const domain = templates[logicalId('sleepcare', 'push')];
  expect(properties(domain, 'SendTestPushFunction').Environment).toMatchObject({
    Variables: { IOS_BUNDLE_ID: expect.stringMatching(/^[\w.-]+$/), PLATFORM_APPLICATIONS: expect.any(String) },
  });
  const policies = JSON.stringify(properties(domain, 'SendTestPushRole').Policies);
  expect(policies.match(/sns:\w+/g)).toEqual(['sns:Publish']);
});

describe.each(['staging', 'prod'] as const)('%s', (environment) => {
  test('has no route, function or path of it', () => {
    const all = JSON.stringify(stage(environment).templates);
    expect(all).not.toMatch(/SendTestPush|send-test-push|DevPush|push\/test/);
  });
});
