// Elements, state in them, and templates without a build; all that panels are written with.
import { VNode } from "preact";

export { Component, Fragment, createContext, h, render } from "preact";
export type { ComponentChildren, VNode } from "preact";
export { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export type { Signal } from "@preact/signals";
export declare const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
