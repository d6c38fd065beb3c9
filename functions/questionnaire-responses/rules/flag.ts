import { nameBasedId } from '../../questionnaires/rules/name-based-id.ts';
import type { Response } from './response.ts';

/** What a person must look at. Pure. It names what was answered by ids alone. */

export type Flag = {
  readonly flagId: string;
  readonly code: string;
  readonly userId: string;
  readonly responseId: string;
  readonly questionnaireId: string;
  readonly raisedAt: string;
  readonly acknowledgedAt: string | null;
  readonly acknowledgedBy: string | null;
};

/** Follows from the response and the flag, so that none is raised twice, whatever crashes; a correction's is the same one. */
export function flagIdOf(userId: string, { rootId }: Pick<Response, 'rootId'>, code: string): string {
  return nameBasedId('flag', userId, rootId, code);
}

/** Of a correction, where the response's own flag is seen to already. */
export function flagIdOfCorrection({ userId, responseId, code }: Pick<Flag, 'userId' | 'responseId' | 'code'>): string {
  return nameBasedId('flag', userId, responseId, code);
}

export function raisedFlags(userId: string, response: Response): Flag[] {
  const { responseId, questionnaireId, completedAt } = response;
  return response.flags.map((code) => ({
    flagId: flagIdOf(userId, response, code),
    code,
    userId,
    responseId,
    questionnaireId,
    raisedAt: completedAt ?? '',
    acknowledgedAt: null,
    acknowledgedBy: null,
  }));
}
