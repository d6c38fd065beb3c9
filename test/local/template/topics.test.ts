import { expect, test } from 'vitest';
import { ref } from './small-parts.ts';
import { modelAfter } from './small-stage.ts';

const publish = { Action: 'sns:Publish', Resource: ref('Events') };
const bySns = { ...publish, Effect: 'Allow', Principal: { Service: 'sns.amazonaws.com' } };

test.each([
  ['no policy', [], false],
  ['a policy that lets SNS send', [bySns], true],
  ['one that names SNS among others', [{ ...bySns, Principal: { Service: ['a.b', 'sns.amazonaws.com'] } }], true],
  ['one that denies it', [{ ...bySns, Effect: 'Deny' }], false],
  ['one for another service', [{ ...bySns, Principal: { Service: 'cloudwatch.amazonaws.com' } }], false],
  ['one for everybody of the account', [{ ...bySns, Principal: '*' }], false],
])('whether a topic takes SNS’s own events: %s', (_, Statement, takes) => {
  const { topics } = modelAfter(({ State }) => {
    const Properties = { Topics: [ref('Events')], PolicyDocument: { Statement } };
    const policies = Statement.length > 0 && { EventsPolicy: { Type: 'AWS::SNS::TopicPolicy', Properties } };
    Object.assign(
      State.Resources ?? {},
      { Events: { Type: 'AWS::SNS::Topic' }, Other: { Type: 'AWS::SNS::Topic' } },
      policies,
    );
  });
  expect(topics.map(({ logicalId, takesEventsOfSns }) => [logicalId, takesEventsOfSns])).toEqual([
    ['Events', takes],
    ['Other', false],
  ]);
});
