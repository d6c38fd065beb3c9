import { table } from '../../lib/contract/tables.ts';

/**
 * A user's responses. `response#<id>` is a response. A completed response also has `at#<time>#<id>` and
 * `of#<questionnaire>#<time>#<id>`, for the lists; a draft has `draft#<time>#<id>`. `occurrence#<id>#<questionnaire>` says which response an occurrence
 * has. `reminder#…` says that the user was reminded of an occurrence.
 */
export const QuestionnaireResponses = table('QuestionnaireResponses', {
  partitionKey: 'userId',
  sortKey: 'part',
  stream: true,
});

/**
 * Flags: answers that a person must look at. `flag#<id>` is a flag. `open`, `acknowledged` and `ended` list the flags by
 * time. `user#<id>` lists a user's flags, and `open#<id>` those of them that are not cleared: by their ids, or as
 * `seen#<id>` after somebody has acknowledged them, as `not-reached#<id>` with that outcome.
 */
export const QuestionnaireFlags = table('QuestionnaireFlags', { partitionKey: 'part', sortKey: 'name', stream: true });
