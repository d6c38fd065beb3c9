import { isDeepStrictEqual } from 'node:util';
import type { Image, RowChange } from '../../consent-events/rules.ts';

/**
 * What a change of table `QuestionnaireResponses` means for those who watch it. Completed answers are only ever appended, in
 * each of their three rows: of them only the correction that they name changes. Pure.
 */

export type ResponseChange = 'completed' | 'changed' | 'removed';

/** What a correction writes on the response that it corrects. */
const ofCorrection = ['amendedBy', 'corrected', 'revision'];

/** @returns null for what is no completed response, and for what may be done with one */
export function responseChangeOf({ OldImage, NewImage }: RowChange): ResponseChange | null {
  if (OldImage?.status?.S !== 'completed') return isCompleted(NewImage) ? 'completed' : null;
  if (!NewImage) return 'removed';
  const corrected = OldImage.amendedBy?.S;
  const isKept = corrected === undefined || corrected === NewImage.amendedBy?.S;
  return isKept && isDeepStrictEqual(answered(OldImage), answered(NewImage)) ? null : 'changed';
}

function isCompleted(image: Image | undefined): boolean {
  return image?.part?.S?.startsWith('response#') === true && image.status?.S === 'completed';
}

function answered(image: Image) {
  return Object.fromEntries(Object.entries(image).filter(([name]) => !ofCorrection.includes(name)));
}
