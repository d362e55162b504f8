import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { isOutage } from './outage.ts';

const { MongoNetworkError, MongoServerClosedError, MongoServerError, MongoUnexpectedServerResponseError } =
  mongoose.mongo;

describe('an error of MongoDB', () => {
  test.each([
    ['HostUnreachable', 6],
    ['InterruptedAtShutdown', 11600],
    ['PrimarySteppedDown', 189],
    ['NotWritablePrimary', 10107],
    ['InterruptedDueToReplStateChange', 11602],
    ['NotPrimaryNoSecondaryOk', 13435],
    ['NotPrimaryOrSecondary', 13436],
    ['WriteConcernFailed', 64],
    ['UnsatisfiableWriteConcern', 100],
    ['MaxTimeMSExpired', 50],
    ['OutOfDiskSpace', 14031],
  ])('%s is an outage', (codeName, code) => {
    expect(isOutage(new MongoServerError({ message: codeName, code, codeName }))).toBe(true);
  });

  test('of the network is an outage, as the driver says it and as Node does', () => {
    expect(isOutage(new MongoNetworkError('connection 1 closed'))).toBe(true);
    expect(isOutage(Object.assign(new Error('read'), { code: 'ECONNRESET' }))).toBe(true);
  });

  test('of a server that the driver lost between two attempts is an outage', () => {
    const lost = 'Selected server does not support retryable writes';
    expect(isOutage(new MongoUnexpectedServerResponseError(lost))).toBe(true);
    expect(isOutage(new MongoServerClosedError('Server is closed'))).toBe(true);
  });

  test.each([
    ['DuplicateKey', 11000],
    ['BSONObjectTooLarge', 10334],
    ['BadValue', 2],
    ['DocumentValidationFailure', 121],
  ])('%s is the own fault of an operation', (codeName, code) => {
    expect(isOutage(new MongoServerError({ message: codeName, code, codeName }))).toBe(false);
  });

  test('that is none is no outage', () => {
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
    expect(isOutage('ECONNRESET')).toBe(false);
  });
});
