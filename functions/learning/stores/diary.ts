/**
 * Whether the diary of a morning is written: asked of the domain that keeps diaries, by this port alone.
 *
 * @returns the wake dates of the user's latest entries, the last three at least where there are as many; null where nobody
 * can look. It needs no time, so that it is read beside the account.
 */
export type DiaryReader = (userId: string) => Promise<ReadonlySet<string> | null>;

/** No domain keeps diaries yet: the answer says `unknown`, neither `missing` nor `written`. */
export const readDiary: DiaryReader = async () => null;
