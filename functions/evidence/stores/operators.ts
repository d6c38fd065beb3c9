import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';

/** People, by the topic of the environment's alarms. */
export type Operators = { readonly client: SNSClient; readonly topicArn: string; readonly environment: string };

/** Nobody reads more lines: the message says where the rest is. */
const mostLines = 50;

/**
 * One message for all findings of a batch. An alarm that is already on does not report the next finding; this message does.
 *
 * @param lines without anything that identifies a person; each stays one line
 * @throws if SNS did not accept it: the caller then tries the batch again
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
      Message: [...lines.slice(0, mostLines), ...more, '', where].map(oneLine).join('\n'),
    }),
  );
}

/** Of a row or a name that somebody else wrote no part becomes a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, '?');
}
