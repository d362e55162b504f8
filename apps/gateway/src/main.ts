import 'reflect-metadata';
import { runService } from '#service';
import { gateway } from './gateway.ts';

await runService(gateway);
