import DefaultTheme from "vitepress/theme";
import { useData } from "vitepress";
import { defineComponent, h, onMounted, ref } from "vue";

import "../playground/playground.css";

/** The playground, loaded where it is shown. */
const Playground = defineComponent(() => {
  const place = ref(null);
  onMounted(async () => {
    const { mount } = await import("../playground/playground.js");
    mount(place.value);
  });
  return () => h("div", { ref: place });
});

export default {
  extends: DefaultTheme,
  Layout: defineComponent(() => {
    const { page } = useData();
    const isPlayground = () => page.value.relativePath === "playground.md";
    return () =>
      h(DefaultTheme.Layout, null, {
        "doc-footer-before": () => (isPlayground() ? h(Playground) : undefined),
      });
  }),
};
