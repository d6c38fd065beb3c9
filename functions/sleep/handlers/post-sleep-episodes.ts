import { maxLimit } from '../../../lib/contract/collection.ts';
import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { postSleepEpisodes } from '../routes.ts';
import { episodeProblems } from '../rules/episode.ts';
import { keyOfInput, writeEpisodes } from '../stores/episode-rows.ts';

export const handler = serve(postSleepEpisodes)(async ({ body, caller, now, tables, fail }) => {
  const { episodes: inputs } = body;
  const issues = inputs.flatMap((episode, index) =>
    episodeProblems(episode, `episodes[${index}]`, now).map((problem) => ({ in: 'body', ...problem }) as const),
  );
  if (issues.length > 0) return fail(ValidationFailed, { issues: issues.slice(0, 100) });
  const { userId } = caller;
  const outcomes = await writeEpisodes(tables.SleepEpisodes, { userId, inputs, now });
  const results = inputs.flatMap((input) => {
    const result = outcomes.get(keyOfInput(input));
    return result ? [{ source: input.source, sourceId: input.sourceId, ...result }] : [];
  });
  const count = results.length;
  return { items: results, metadata: { limit: maxLimit, count, hasMore: false, nextCursor: null } };
});
