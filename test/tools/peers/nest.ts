import 'reflect-metadata';
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  Get,
  Headers,
  HttpCode,
  Module,
  Param,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import serverless from 'serverless-http';
import { agreeTo, check, list, refused, revoke } from './operations.ts';

/** The four endpoints as one Lambda with NestJS, on its default platform, Express. */

type Called = { userId?: string };
type Values = Record<string, unknown>;

const requestId = 'extended';

@Catch()
class RefusalFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost) {
    const { status, body } = refused(error);
    host.switchToHttp().getResponse().status(status).json(body);
  }
}

@Controller('v1')
class AgreementsController {
  @Get('users/agreements')
  list(@Req() { userId = '' }: Called, @Query() query: Values, @Headers('accept-language') acceptLanguage?: string) {
    return list({ userId, query, body: undefined, acceptLanguage, requestId });
  }

  @Post('agreements/versions/:versionId/agree')
  @HttpCode(200)
  agree(
    @Req() { userId = '' }: Called,
    @Param('versionId') versionId: string,
    @Body() body: unknown,
    @Headers('accept-language') acceptLanguage?: string,
  ) {
    return agreeTo(versionId, { userId, query: {}, body, acceptLanguage, requestId });
  }

  @Delete('users/agreements/:agreementId/consent')
  revoke(@Req() { userId = '' }: Called, @Param('agreementId') agreementId: string) {
    return revoke(agreementId, { userId, query: {}, body: undefined, acceptLanguage: undefined, requestId });
  }
}

@Controller('v1/mobile')
class MobileController {
  @Get('app-version/check')
  check(@Query() query: Values, @Headers('accept-language') acceptLanguage?: string) {
    return check({ userId: '', query, body: undefined, acceptLanguage, requestId });
  }
}

@Module({ controllers: [AgreementsController, MobileController] })
class AppModule {}

type Event = { requestContext: { authorizer?: { userId?: string } } };

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['error'] });
  app.useGlobalFilters(new RefusalFilter());
  await app.init();
  return serverless(app.getHttpAdapter().getInstance(), {
    request: (request: Called, event: Event) => {
      request.userId = event.requestContext.authorizer?.userId;
    },
  });
}

let started: ReturnType<typeof start> | undefined;

export async function handler(event: Event, context: object) {
  started ??= start();
  return (await started)(event, context);
}
