import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';

/** People, by the topic of the environment's alarms. */
export type Operators = { readonly client: SNSClient; readonly topicArn: string; readonly environment: string };

/** What nobody reads to its end: the rest is where the message says. */
const mostLines = 50;

/**
 * One message for all that was found at once. An alarm that rings already says nothing of what is found next; this does.
 *
 * @param lines without what points to a person
 * @throws where it was not taken: whoever found it finds it again
 */
export async function tellFindings(
  { client, topicArn, environment }: Operators,
  { subject, lines, where }: { readonly subject: string; readonly lines: readonly string[]; readonly where: string },
): Promise<void> {
  if (lines.length === 0) return;
  const rest = lines.length - mostLines;
  const more = rest > 0 ? [`and ${rest} more`] : [];
  await client.send(
    new PublishCommand({
      TopicArn: topicArn,
      Subject: `Mobile health, ${environment}: ${subject}`,
      Message: [...lines.slice(0, mostLines), ...more, '', where].join('\n'),
    }),
  );
}
