import { Controller, Get, Header } from '@nestjs/common';
import { metricsText, metricsType } from './telemetry/metrics-text.ts';

/** Says to Prometheus what this process has measured. */
@Controller('metrics')
export class MetricsController {
  @Get()
  @Header('Content-Type', metricsType)
  @Header('Cache-Control', 'no-store')
  read(): Promise<string> {
    return metricsText();
  }
}
