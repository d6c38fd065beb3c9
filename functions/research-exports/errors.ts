import * as z from 'zod/mini';
import { error } from '../../lib/contract/errors.ts';
import { Id } from '../../lib/contract/fields.ts';

export const ResearchExportNotFound = error({
  code: 'RESEARCH_EXPORT_NOT_FOUND',
  status: 404,
  message: 'The study has no such export.',
});

export const ResearchExportUnderWay = error({
  code: 'RESEARCH_EXPORT_UNDER_WAY',
  status: 409,
  message: 'Another export of the study is being made.',
  detail: () => z.object({ exportId: Id }),
});

export const StudyNotExported = error({
  code: 'STUDY_NOT_EXPORTED',
  status: 409,
  message: 'A study can be exported only while it recruits or is closed.',
});
