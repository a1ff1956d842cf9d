mod prebuilt_test;
