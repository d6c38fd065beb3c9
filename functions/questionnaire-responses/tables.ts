import { table } from '../../lib/contract/tables.ts';

/**
 * A user's responses. Under `response#<id>` each as it is; a completed one also under `at#<time>#<id>` and
 * `of#<questionnaire>#<time>#<id>`, by which it is listed; under `occurrence#<id>#<questionnaire>` which response an
 * occurrence has; under `reminder#…` that the user was reminded of one.
 */
export const QuestionnaireResponses = table('QuestionnaireResponses', {
  partitionKey: 'userId',
  sortKey: 'part',
  stream: true,
});

/**
 * What a person must look at. Under `flag#<id>` each flag; under `open` and `acknowledged` the flags by time; under
 * `user#<id>` which are a user's, and under `open#<id>` which of these nobody has acknowledged.
 */
export const QuestionnaireFlags = table('QuestionnaireFlags', { partitionKey: 'part', sortKey: 'name', stream: true });
