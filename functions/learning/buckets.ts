import { bucket } from '../../lib/contract/buckets.ts';

/** Texts, media, subtitles and packages of courses, under their SHA-256. What a published version names is under a hold. */
export const CourseFiles = bucket('CourseFiles', { lock: 'legal-hold' });
