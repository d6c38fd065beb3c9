import type { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { tellFindings } from '../../functions/evidence/stores/operators.ts';

test('a finding is one line of the message, whatever is in it', async () => {
  const told: unknown[] = [];
  const send = async ({ input }: PublishCommand) => told.push(input.Message);
  const operators = { client: { send } as unknown as SNSClient, topicArn: 'topic', environment: 'prod' };
  const forged = ['x\n\nAll is well.', 'x\r\u2028y\u0085\u202ez'];
  await tellFindings(operators, { subject: 'a test', lines: forged, where: 'docs/runbook.md' });
  expect(told).toEqual(['x??All is well.\nx??y??z\n\ndocs/runbook.md']);
});
