import { isDeepStrictEqual } from 'node:util';
import type { Image, RowChange } from '../../consent-events/rules.ts';

/**
 * What a change of table `QuestionnaireResponses` means for those who watch it. Completed answers are only ever appended, in
 * each of their three rows: of them only the correction that they name changes. Pure.
 */

/** `listed` and `corrected` say something of other rows, which show whether it is so. */
export type ResponseChange = 'completed' | 'listed' | 'corrected' | 'changed' | 'removed';

/** What a correction writes on the response that it corrects. */
const ofCorrection = ['amendedBy', 'corrected', 'revision'];

/** @returns null for what is no completed response, and for what may be done with one */
export function responseChangeOf({ OldImage, NewImage }: RowChange): ResponseChange | null {
  if (!isCompleted(OldImage)) return isCompleted(NewImage) ? newIn(NewImage) : null;
  if (!NewImage) return 'removed';
  const isKept =
    (!isAmended(OldImage) || isDeepStrictEqual(OldImage.amendedBy, NewImage.amendedBy)) &&
    (OldImage.corrected === undefined || NewImage.corrected !== undefined);
  if (!isKept || !isDeepStrictEqual(answered(OldImage), answered(NewImage))) return 'changed';
  return isDeepStrictEqual(correctionIn(OldImage), correctionIn(NewImage)) ? null : 'corrected';
}

function newIn(image: Image): ResponseChange {
  if (isListed(image)) return 'listed';
  return !isAmended(image) && image.corrected === undefined ? 'completed' : 'corrected';
}

/**
 * A response by its own key, or a row of a list, whatever it says: readers believe what is in a list. Not the row of an occurrence, which
 * names another response once it is corrected.
 */
function isCompleted(image: Image | undefined): image is Image {
  if (!image) return false;
  return isListed(image) || (image.part?.S?.startsWith('response#') === true && image.status?.S === 'completed');
}

function isListed({ part }: Image): boolean {
  return /^(?:at|of)#/.test(part?.S ?? '');
}

function answered(image: Image) {
  return Object.fromEntries(Object.entries(image).filter(([name]) => !ofCorrection.includes(name)));
}

/** Whatever it says: of others it may be no text. */
function isAmended({ amendedBy }: Image): boolean {
  return amendedBy !== undefined && amendedBy.NULL !== true;
}

function correctionIn(image: Image) {
  return [isAmended(image) ? image.amendedBy : null, image.corrected];
}
