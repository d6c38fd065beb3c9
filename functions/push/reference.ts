import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Trying out pushes, only in the development environment.',
  examples: {
    sendTestPush: {
      params: { messageType: 'badge_sync' },
      body: { userId: '95f807be-bb56-4119-899f-ee487ecfa121', badge: 3, dryRun: true },
      answer: {
        messageType: 'badge_sync',
        deliveries: [
          {
            deviceId: 'patient-android',
            platform: 'android',
            status: 'preview',
            snsMessageId: null,
            reason: null,
            request: {
              TargetArn:
                'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/mobile-health-dev-android/d2b6bb3b-2f0a-331b-85f2-6b61186bba59',
              MessageStructure: 'json',
              Message:
                '{"GCM":"{\\"fcmV1Message\\":{\\"message\\":{\\"data\\":{\\"type\\":\\"badge_sync\\",\\"badge\\":\\"3\\"},\\"android\\":{\\"priority\\":\\"normal\\",\\"collapse_key\\":\\"badge_sync\\",\\"ttl\\":\\"3600s\\"}}}}"}',
            },
          },
          {
            deviceId: 'patient-iphone',
            platform: 'ios',
            status: 'preview',
            snsMessageId: null,
            reason: null,
            request: {
              TargetArn:
                'arn:aws:sns:eu-central-1:000000000000:endpoint/APNS/mobile-health-dev-ios/cbc3f03a-4ac8-3fd1-9621-a6d7ce131264',
              MessageStructure: 'json',
              Message:
                '{"APNS":"{\\"aps\\":{\\"content-available\\":1},\\"data\\":{\\"type\\":\\"badge_sync\\",\\"badge\\":\\"3\\"}}"}',
              MessageAttributes: {
                'AWS.SNS.MOBILE.APNS.PUSH_TYPE': { DataType: 'String', StringValue: 'background' },
                'AWS.SNS.MOBILE.APNS.PRIORITY': { DataType: 'String', StringValue: '5' },
                'AWS.SNS.MOBILE.APNS.TOPIC': { DataType: 'String', StringValue: 'com.example.sleepcare.dev' },
                'AWS.SNS.MOBILE.APNS.COLLAPSE_ID': { DataType: 'String', StringValue: 'badge_sync' },
                'AWS.SNS.MOBILE.APNS.TTL': { DataType: 'String', StringValue: '3600' },
                'AWS.SNS.MOBILE.APNS_SANDBOX.TTL': { DataType: 'String', StringValue: '3600' },
              },
            },
          },
        ],
      },
    },
  },
};
