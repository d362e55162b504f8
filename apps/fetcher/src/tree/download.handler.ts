import { Inject } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { DownloadJob } from '#contracts';
import { MessageController } from '#queue';
import { fetchPorts, fetchSettings } from '../fetch.handler.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { downloadDocuments } from './download-documents.ts';

/** The jobs of the queue `download`. */
@MessageController({ download: 'DOWNLOAD_CONCURRENCY' })
export class DownloadHandler {
  constructor(
    @Inject(fetchPorts) private readonly ports: FetchPorts,
    @Inject(fetchSettings) private readonly settings: FetchSettings,
  ) {}

  @MessagePattern('download')
  async download(@Payload() job: DownloadJob): Promise<void> {
    await downloadDocuments(this.ports, this.settings.scan, job);
  }
}
