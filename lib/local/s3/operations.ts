import { headBucket, listObjectsV2, listObjectVersions } from './lists.ts';
import { abortMultipartUpload, completeMultipartUpload, createMultipartUpload, uploadPart } from './multipart.ts';
import { getObjectLegalHold, getObjectRetention, putObjectLegalHold, putObjectRetention } from './object-locks.ts';
import { deleteObject, getObject, headObject, putObject } from './objects.ts';
import type { Operation } from './operation.ts';
import { postObject } from './post-object.ts';

/** By their names in the API reference. */
export const operations: Readonly<Record<string, Operation>> = {
  AbortMultipartUpload: abortMultipartUpload,
  CompleteMultipartUpload: completeMultipartUpload,
  CreateMultipartUpload: createMultipartUpload,
  DeleteObject: deleteObject,
  GetObject: getObject,
  GetObjectLegalHold: getObjectLegalHold,
  GetObjectRetention: getObjectRetention,
  HeadBucket: headBucket,
  HeadObject: headObject,
  ListObjectsV2: listObjectsV2,
  ListObjectVersions: listObjectVersions,
  PostObject: postObject,
  PutObject: putObject,
  PutObjectLegalHold: putObjectLegalHold,
  PutObjectRetention: putObjectRetention,
  UploadPart: uploadPart,
};
